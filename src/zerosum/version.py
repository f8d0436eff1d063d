"""The version, alone in its file so that asking for it loads nothing."""

__version__ = "1.0.0"
