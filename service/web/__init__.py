"""What every request passes through: guards, limits, sign-in, headers, problems. Imports accounts and storage."""
