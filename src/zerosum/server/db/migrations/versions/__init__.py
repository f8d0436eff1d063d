"""The migrations, oldest first; one that was released is never changed."""
