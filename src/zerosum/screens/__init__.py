"""What people see, from values to HTML; no web framework, so that a server and a browser draw the same."""
