"""Many tables: HTTP and live events, seats, the store. Needs the extra `server`."""
