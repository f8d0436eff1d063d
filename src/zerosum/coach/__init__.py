"""What it means: hints, reasons and reviews, as data first and then as words."""
