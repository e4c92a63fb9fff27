"""The database: engine, transactions, its clock, leases and migrations. Imports settings and models only."""
