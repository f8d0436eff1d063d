"""Certificates of solutions, and their check: needs the rules and nothing of the solver."""
