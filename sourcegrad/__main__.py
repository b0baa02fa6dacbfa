"""`python -m sourcegrad`, the same as the `sourcegrad` command."""

import sys

from sourcegrad.cli import main

if __name__ == "__main__":
    sys.exit(main())
