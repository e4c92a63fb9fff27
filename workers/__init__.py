"""The workers: Celery apps and tasks, the sandbox, the referee and the builder.

The play and build side imports engine, service.messages, service.settings, service.queues and service.blobs,
and nothing that reaches the database: hosts that run strangers' programs hold no database credentials.
"""
