PRICES = {"board": 5, "desk": 5}
