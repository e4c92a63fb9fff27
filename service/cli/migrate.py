"""`malice migrate`: the database brought up to date and seeded."""
