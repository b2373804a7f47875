"""The Chat Completions format: request bodies, streamed answers, errors. It knows no address."""
