"""Jacobians, Hessians, and their products with vectors."""
