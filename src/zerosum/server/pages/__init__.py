"""The pages people see, each a few routes that fill templates of `zerosum/screens/templates`."""
