"""Rules of the service. Generated from the core by `npm run generate`: do not edit."""

FINISHED_STATUSES = frozenset({"completed", "cancelled", "aborted", "error"})
"""Statuses in which nothing more happens to an execution."""
