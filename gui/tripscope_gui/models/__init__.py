"""Qt item models: each translates a list of the store into Qt's signals and roles."""
