"""The door: requests, live connections, who may do what and how often."""
