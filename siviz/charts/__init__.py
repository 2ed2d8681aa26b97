"""Frames and Altair charts: what is drawn, apart from the pages that show it."""
