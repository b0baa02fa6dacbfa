"""Analyses: plain facts about the IR that passes share."""
