"""A table and what can be done at it: values only, no network, no database."""
