"""The passes; `pipeline` puts them in order."""
