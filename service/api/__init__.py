"""The HTTP API under `/api/v1`: a file per feature, thin views over accounts, bots, ladders and fixtures.

May import everything of the service but the ledger's own work; `docs/api.md` is the guided tour.
"""
