"""The engine's games in the dress of other libraries. Each module needs its library; nothing else imports any of them."""
