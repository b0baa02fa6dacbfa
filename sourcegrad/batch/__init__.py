"""Sweeps for a stack of seeds at once, where kinds show that this is the same."""
