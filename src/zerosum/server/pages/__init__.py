"""Pages over the network: every screen as a route, and what has no screen."""
