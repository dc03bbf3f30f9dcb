"""The concurrent interaction scheduler: gateway, commands, history queues, context builder, settlement."""
