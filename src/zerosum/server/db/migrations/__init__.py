"""Migrations, from the database of an older release to this one."""
