"""What stands around the docks: run bar, checks, breadcrumb, block band, start page, status bar."""
