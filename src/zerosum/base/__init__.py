"""The lowest floor: files, English, reports, statistics, progress and limits, which belong to no room in particular."""
