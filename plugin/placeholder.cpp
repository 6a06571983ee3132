// replaced by the entry
