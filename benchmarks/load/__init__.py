"""The load that the server is measured under: clients that cost little, and bare servers to hold it against."""
