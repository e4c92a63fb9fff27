"""The revisions, oldest first. One that has been released is never edited; a new one follows it."""
