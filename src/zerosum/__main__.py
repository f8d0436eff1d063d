"""`python -m zerosum`."""

from zerosum.cli import main

if __name__ == "__main__":
    main()
