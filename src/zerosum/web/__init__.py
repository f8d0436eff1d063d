"""The page: pieces of HTML made with nothing but the standard library, templates, style and scripts."""
