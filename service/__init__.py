"""The service: HTTP API, pages, accounts, models, ledger, blob store and command line.

May import engine; never workers, except for service.cli.
"""
