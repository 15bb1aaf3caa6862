/** The calls that commands make. Generated from the contract by `npm run generate`: do not edit. */
import type { Operation } from "./Operation.ts"

export const operations: Readonly<Record<string, Operation>> = {
  "accounts create": {
    "method": "POST",
    "path": "/accounts",
    "summary": "Create an account",
    "description": "Makes an account, the owner of keys, agents, tasks and executions.",
    "query": {},
    "body": {
      "name": {
        "type": "text",
        "isRequired": true
      }
    }
  },
  "accounts keep": {
    "method": "PATCH",
    "path": "",
    "summary": "Change an account",
    "description": "Changes what the body names: the account's name, its limits, or how long its executions are kept. Lower limits hold for its keys at once, whatever those have; at other processes within 2 seconds. For operators.",
    "query": {},
    "body": {
      "retention_days": {
        "type": "integer",
        "says": "Days for which its finished executions are kept, with their history, results, files and callbacks"
      }
    }
  },
  "accounts limit": {
    "method": "PATCH",
    "path": "",
    "summary": "Change an account",
    "description": "Changes what the body names: the account's name, its limits, or how long its executions are kept. Lower limits hold for its keys at once, whatever those have; at other processes within 2 seconds. For operators.",
    "query": {},
    "body": {
      "rate_limit.per_second": {
        "type": "integer"
      },
      "rate_limit.burst": {
        "type": "integer"
      },
      "max_live": {
        "type": "integer",
        "says": "Unfinished executions of all its keys together"
      }
    }
  },
  "accounts list": {
    "method": "GET",
    "path": "/accounts",
    "summary": "List accounts",
    "description": "All accounts, newest first; for a session, its own.",
    "query": {}
  },
  "keys create": {
    "method": "POST",
    "path": "/keys",
    "summary": "Create a key",
    "description": "Makes an integration key. The key and its signing secret are in this answer, and never shown again.",
    "query": {},
    "body": {
      "name": {
        "type": "text",
        "isRequired": true
      },
      "allowed_task_ids": {
        "type": "text",
        "isList": true,
        "says": "The tasks of which it creates work, and changes any: also what it names by id. It reads all executions and schedules of its account; []: none."
      },
      "allowed_agent_ids": {
        "type": "text",
        "isList": true,
        "says": "The agents for which it creates work, and changes any, as for tasks; []: none"
      }
    }
  },
  "keys list": {
    "method": "GET",
    "path": "/keys",
    "summary": "List keys",
    "description": "The integration keys of the account, newest first, without their secrets.",
    "query": {}
  },
  "keys get": {
    "method": "GET",
    "path": "/keys/{id}",
    "summary": "Get a key",
    "description": "One integration key, without its secrets.",
    "query": {}
  },
  "keys revoke": {
    "method": "DELETE",
    "path": "/keys/{id}",
    "summary": "Revoke a key",
    "description": "Revokes a key for good. Executions that it has queued still run.",
    "query": {}
  },
  "keys rotate": {
    "method": "POST",
    "path": "/keys/{id}/rotate",
    "summary": "Replace a key's secret",
    "description": "Makes a new secret for the same key. The old one stays valid during the overlap. Only this answer has the new one.",
    "query": {},
    "body": {
      "overlap_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "How long the old key stays valid; 86400 unless given"
      }
    }
  },
  "keys rotate-signing-secret": {
    "method": "POST",
    "path": "/keys/{id}/signing-secret/rotate",
    "summary": "Replace a signing secret",
    "description": "Makes a new secret to sign callbacks with: at once, or staged, so that receivers can learn it first. Only this answer has the new one.",
    "query": {},
    "body": {
      "mode": {
        "type": [
          "immediate",
          "staged"
        ],
        "isRequired": true
      },
      "overlap_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "staged: seconds until the new secret takes over, and again until the old one ends"
      }
    }
  },
  "keys reseal": {
    "method": "POST",
    "path": "/secret-keys/reseal",
    "summary": "Seal everything under the newest secret key",
    "description": "Opens every signing secret and seals it under the newest secret key. The answer says which older keys are no longer needed.",
    "query": {}
  },
  "runner-keys create": {
    "method": "POST",
    "path": "/runner-keys",
    "summary": "Create a runner key",
    "description": "Makes a key for runners. It is in this answer, and never shown again.",
    "query": {},
    "body": {
      "name": {
        "type": "text",
        "isRequired": true
      },
      "agent_ids": {
        "type": "text",
        "isList": true
      }
    }
  },
  "runner-keys list": {
    "method": "GET",
    "path": "/runner-keys",
    "summary": "List runner keys",
    "description": "The runner keys of the account, newest first, without their secrets.",
    "query": {}
  },
  "runner-keys revoke": {
    "method": "DELETE",
    "path": "/runner-keys/{id}",
    "summary": "Revoke a runner key",
    "description": "Revokes a runner key for good. Runners that present it are refused from then on.",
    "query": {}
  },
  "agents create": {
    "method": "POST",
    "path": "/agents",
    "summary": "Create an agent",
    "description": "Makes an agent, on which executions run as soon as a runner serves it.",
    "query": {},
    "body": {
      "name": {
        "type": "text",
        "isRequired": true
      },
      "capacity": {
        "type": "integer",
        "says": "Executions it runs at once; 1 unless given"
      }
    }
  },
  "agents list": {
    "method": "GET",
    "path": "/agents",
    "summary": "List agents",
    "description": "The agents of the account, newest first, and how busy they are.",
    "query": {}
  },
  "agents get": {
    "method": "GET",
    "path": "/agents/{id}",
    "summary": "Get an agent",
    "description": "One agent, and how busy it is.",
    "query": {}
  },
  "agents update": {
    "method": "PATCH",
    "path": "/agents/{id}",
    "summary": "Change an agent",
    "description": "Changes what the body names: name, labels, capacity, or whether it is paused or disabled.",
    "query": {},
    "body": {
      "name": {
        "type": "text"
      },
      "capacity": {
        "type": "integer",
        "says": "Executions it runs at once"
      },
      "state": {
        "type": [
          "active",
          "paused",
          "disabled"
        ],
        "says": "paused: accepts executions but runs none; disabled: accepts none"
      }
    }
  },
  "agents remove": {
    "method": "DELETE",
    "path": "/agents/{id}",
    "summary": "Remove an agent",
    "description": "Removes an agent that has no unfinished executions.",
    "query": {}
  },
  "tasks create": {
    "method": "POST",
    "path": "/tasks",
    "summary": "Create a task",
    "description": "Makes a task. It can be executed once a version of it is published.",
    "query": {},
    "body": {
      "slug": {
        "type": "text",
        "isRequired": true
      },
      "name": {
        "type": "text",
        "isRequired": true
      }
    }
  },
  "tasks list": {
    "method": "GET",
    "path": "/tasks",
    "summary": "List tasks",
    "description": "The tasks of the account, newest first.",
    "query": {}
  },
  "tasks get": {
    "method": "GET",
    "path": "/tasks/{id}",
    "summary": "Get a task",
    "description": "A task with its current version, its tags and its policies.",
    "query": {}
  },
  "tasks versions": {
    "method": "GET",
    "path": "/tasks/{id}/versions",
    "summary": "List versions",
    "description": "The versions of the task, newest first.",
    "query": {}
  },
  "tasks tag": {
    "method": "PUT",
    "path": "/tasks/{task_id}/tags/{name}",
    "summary": "Let a tag name a version",
    "description": "Moves the tag to the version, or creates it.",
    "query": {},
    "body": {
      "version_id": {
        "type": "text",
        "metavar": "id",
        "isRequired": true
      }
    }
  },
  "tasks set-current": {
    "method": "PUT",
    "path": "/tasks/{id}/current",
    "summary": "Make a version current",
    "description": "Executions that name no version run this one.",
    "query": {},
    "body": {
      "version_id": {
        "type": "text",
        "metavar": "id",
        "isRequired": true
      }
    }
  },
  "executions list": {
    "method": "GET",
    "path": "/executions",
    "summary": "List executions",
    "description": "The executions of the account, newest first, filtered by the query, with the names behind ids and the state of their callbacks.",
    "query": {
      "status": {
        "type": [
          "pending",
          "queued",
          "running",
          "awaiting_input",
          "completed",
          "cancelled",
          "aborted",
          "error"
        ],
        "isList": true,
        "says": "May be repeated"
      },
      "reference": {
        "type": "text",
        "says": "The caller's own name for it"
      },
      "from": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Created at or after"
      },
      "to": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Created at or before"
      }
    }
  },
  "executions get": {
    "method": "GET",
    "path": "/executions/{id}",
    "summary": "Get one execution",
    "description": "The execution, its files, and its progress by its runner's word. With wait, the answer comes as soon as it is finished or awaits input, or at the end of the wait.",
    "query": {}
  },
  "executions evidence": {
    "method": "GET",
    "path": "/executions/{id}/evidence",
    "summary": "Evidence of what ran",
    "description": "A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by the public keys at /.well-known/runhook/jwks.json.",
    "query": {}
  },
  "executions cancel": {
    "method": "POST",
    "path": "/executions/{id}/cancel",
    "summary": "End an execution as cancelled",
    "description": "Stops an execution in the name of the operator: it becomes cancelled. A finished one keeps its status.",
    "query": {},
    "body": {
      "reason": {
        "type": "text",
        "says": "Kept as status_reason"
      }
    }
  },
  "schedules create": {
    "method": "POST",
    "path": "/schedules",
    "summary": "Create executions again and again",
    "description": "Adds a schedule: by cron in a time_zone, or every_seconds. Each of its due times creates exactly one execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.",
    "query": {},
    "body": {
      "name": {
        "type": "text",
        "isRequired": true
      },
      "cron": {
        "type": "text",
        "says": "Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds"
      },
      "time_zone": {
        "type": "text",
        "says": "A name of the time zone database, such as Europe/Berlin; given with cron"
      },
      "every_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "Seconds between due times, counted from starts_at, or else from when this value was given first"
      },
      "starts_at": {
        "type": "text",
        "metavar": "timestamp",
        "says": "No due time is earlier"
      },
      "ends_at": {
        "type": "text",
        "metavar": "timestamp",
        "says": "No due time is later"
      },
      "overlap": {
        "type": [
          "allow",
          "skip",
          "cancel_running"
        ],
        "says": "allow unless given"
      },
      "missed": {
        "type": [
          "skip",
          "last",
          "all"
        ],
        "says": "last unless given"
      },
      "jitter_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "0 unless given"
      },
      "execution.agent_id": {
        "type": "text",
        "metavar": "id",
        "isRequired": true,
        "says": "The agent that executes the run"
      },
      "execution.task_id": {
        "type": "text",
        "metavar": "id",
        "says": "The task to run; this or task_version_id"
      },
      "execution.version": {
        "type": "text",
        "says": "current, tag:<name> or a version's id"
      },
      "execution.params": {
        "type": "json",
        "says": "Input values, by the task's params schema"
      },
      "execution.reference": {
        "type": "text",
        "says": "Your own name for it"
      },
      "execution.callback_url": {
        "type": "text",
        "metavar": "url",
        "says": "Where callbacks are sent"
      },
      "key_id": {
        "type": "text",
        "metavar": "id",
        "isRequired": true,
        "says": "The key that creates its executions: within its tasks, agents and limits, signed with its secret"
      }
    }
  },
  "schedules list": {
    "method": "GET",
    "path": "/schedules",
    "summary": "List schedules",
    "description": "The schedules of the account, newest first.",
    "query": {}
  },
  "schedules get": {
    "method": "GET",
    "path": "/schedules/{id}",
    "summary": "Get one schedule",
    "description": "The schedule, its next due times, and what came of the last one.",
    "query": {}
  },
  "schedules pause": {
    "method": "PATCH",
    "path": "/schedules/{id}",
    "summary": "Change, pause or resume a schedule",
    "description": "Changes the given fields; enabled pauses and resumes it. With other times, and after a pause, it goes on with the first due time from then. With key_id, that key creates its executions from then on.",
    "query": {},
    "body": {}
  },
  "schedules resume": {
    "method": "PATCH",
    "path": "/schedules/{id}",
    "summary": "Change, pause or resume a schedule",
    "description": "Changes the given fields; enabled pauses and resumes it. With other times, and after a pause, it goes on with the first due time from then. With key_id, that key creates its executions from then on.",
    "query": {},
    "body": {
      "key_id": {
        "type": "text",
        "metavar": "id",
        "says": "The key that creates its executions: within its tasks, agents and limits, signed with its secret"
      }
    }
  },
  "schedules trigger": {
    "method": "POST",
    "path": "/schedules/{id}/trigger",
    "summary": "Create an execution of a schedule now",
    "description": "Creates an execution now, also during a pause. Its due times stay as they are.",
    "query": {},
    "body": {
      "params": {
        "type": "json",
        "says": "In place of those of the schedule"
      }
    }
  },
  "schedules remove": {
    "method": "DELETE",
    "path": "/schedules/{id}",
    "summary": "Remove a schedule",
    "description": "Removes it: nothing more is created. Executions that it has created stay.",
    "query": {}
  },
  "deliveries list": {
    "method": "GET",
    "path": "/deliveries",
    "summary": "List deliveries",
    "description": "The webhook deliveries of all keys of the account, newest first.",
    "query": {
      "type": {
        "type": [
          "execution.queued",
          "execution.started",
          "execution.completed",
          "execution.failed",
          "execution.aborted",
          "webhook.test"
        ],
        "says": "The type of event"
      },
      "execution_id": {
        "type": "text",
        "metavar": "id",
        "says": "The execution"
      },
      "answer": {
        "type": [
          "2xx",
          "3xx",
          "4xx",
          "5xx",
          "none"
        ],
        "says": "The answer to the latest attempt; none if it failed without one"
      },
      "cause": {
        "type": [
          "unauthorized",
          "not_found",
          "not_accepted",
          "redirected",
          "too_large",
          "bad_request",
          "rate_limited",
          "server_error",
          "dns",
          "connect_refused",
          "connect_timeout",
          "connect_failed",
          "tls_expired",
          "tls_wrong_host",
          "tls_untrusted",
          "tls_failed",
          "no_answer",
          "broken_off",
          "blocked",
          "send_failed",
          "invalid_answer",
          "expired"
        ],
        "says": "Why the latest attempt failed"
      },
      "url_origin": {
        "type": "text",
        "metavar": "url",
        "says": "The origin of the callback URL, as in https://hooks.example.com"
      },
      "q": {
        "type": "text",
        "says": "A part of the event type or URL, or an id"
      },
      "from": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Created at or after"
      },
      "to": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Created at or before"
      },
      "key_id": {
        "type": "text",
        "metavar": "id",
        "says": "The key whose executions or tests caused them"
      },
      "status": {
        "type": [
          "pending",
          "delivered",
          "dead",
          "cancelled"
        ],
        "isList": true,
        "says": "May be repeated"
      }
    }
  },
  "deliveries get": {
    "method": "GET",
    "path": "/deliveries/{id}",
    "summary": "Get a delivery and its attempts",
    "description": "A delivery with the exact body that is sent, and what each attempt sent and received. Viewers read masked where others read signatures that receivers still accept, credentials in headers, and the query of a URL.",
    "query": {}
  },
  "deliveries replay": {
    "method": "POST",
    "path": "/deliveries/{id}/replay",
    "summary": "Send a settled delivery again",
    "description": "Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh signature.",
    "query": {}
  },
  "endpoints list": {
    "method": "GET",
    "path": "/webhooks/endpoints",
    "summary": "List standing endpoints",
    "description": "The endpoints of the account and all of its keys, oldest first.",
    "query": {}
  },
  "endpoints create": {
    "method": "POST",
    "path": "/webhooks/endpoints",
    "summary": "Add a standing endpoint",
    "description": "Adds a receiver: every matching event from now on is delivered to it, beside the callback_url of its execution, under an event id of its own. Only this answer has the signing secret. An account has at most 20 endpoints.",
    "query": {},
    "body": {
      "url": {
        "type": "text",
        "metavar": "url",
        "says": "Where events are sent, for push alone; under the rules of callback_url"
      },
      "description": {
        "type": "text"
      },
      "event_types": {
        "type": [
          "execution.queued",
          "execution.started",
          "execution.completed",
          "execution.failed",
          "execution.aborted"
        ],
        "isList": true,
        "says": "Which events it gets"
      },
      "task_ids": {
        "type": "text",
        "isList": true,
        "says": "Of which tasks"
      },
      "agent_ids": {
        "type": "text",
        "isList": true,
        "says": "On which agents"
      },
      "remove_after_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "For poll alone: it is removed when nobody has fetched from it for so long, give or take an hour"
      }
    }
  },
  "endpoints get": {
    "method": "GET",
    "path": "/webhooks/endpoints/{id}",
    "summary": "Get a standing endpoint",
    "description": "An endpoint, without its signing secret.",
    "query": {}
  },
  "endpoints update": {
    "method": "PATCH",
    "path": "/webhooks/endpoints/{id}",
    "summary": "Change or pause a standing endpoint",
    "description": "Changes or pauses it, for events from now on.",
    "query": {},
    "body": {
      "url": {
        "type": "text",
        "metavar": "url",
        "says": "For push alone. Events that wait already go where they were to go."
      },
      "description": {
        "type": "text"
      },
      "event_types": {
        "type": [
          "execution.queued",
          "execution.started",
          "execution.completed",
          "execution.failed",
          "execution.aborted"
        ],
        "isList": true,
        "says": "Which events it gets"
      },
      "task_ids": {
        "type": "text",
        "isList": true,
        "says": "Of which tasks"
      },
      "agent_ids": {
        "type": "text",
        "isList": true,
        "says": "On which agents"
      }
    }
  },
  "endpoints pause": {
    "method": "PATCH",
    "path": "/webhooks/endpoints/{id}",
    "summary": "Change or pause a standing endpoint",
    "description": "Changes or pauses it, for events from now on.",
    "query": {},
    "body": {}
  },
  "endpoints resume": {
    "method": "PATCH",
    "path": "/webhooks/endpoints/{id}",
    "summary": "Change or pause a standing endpoint",
    "description": "Changes or pauses it, for events from now on.",
    "query": {},
    "body": {}
  },
  "endpoints rotate": {
    "method": "POST",
    "path": "/webhooks/endpoints/{id}/rotate",
    "summary": "Replace the signing secret of an endpoint",
    "description": "Replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only this answer has the new one.",
    "query": {},
    "body": {
      "overlap_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "How long the old secret signs the Standard Webhooks header as well; 86400 unless given"
      }
    }
  },
  "endpoints test": {
    "method": "POST",
    "path": "/webhooks/endpoints/{id}/test",
    "summary": "Send a test to a standing endpoint",
    "description": "Queues a signed webhook.test event, also while the endpoint is not enabled. It is sent even while the breaker of its receiver is open, one test at a time; waiting_for says what else it waits for.",
    "query": {}
  },
  "endpoints remove": {
    "method": "DELETE",
    "path": "/webhooks/endpoints/{id}",
    "summary": "Remove a standing endpoint",
    "description": "Removes it: no further events are delivered to it. What waits for it becomes cancelled.",
    "query": {}
  },
  "alerts list": {
    "method": "GET",
    "path": "/alerts",
    "summary": "List alerts",
    "description": "What is wrong in the account, and what was in the last days.",
    "query": {}
  },
  "alerts targets": {
    "method": "GET",
    "path": "/alert-targets",
    "summary": "List alert targets",
    "description": "The webhooks and mailboxes that are told of alerts in the account, oldest first.",
    "query": {}
  },
  "alerts add": {
    "method": "POST",
    "path": "/alert-targets",
    "summary": "Add an alert target",
    "description": "Adds a webhook or a mailbox that is told of alerts in the account, at most 10. Only this answer has the signing secret.",
    "query": {},
    "body": {
      "address": {
        "type": "text",
        "isRequired": true,
        "says": "The URL of the webhook, or one e-mail address"
      },
      "kinds": {
        "type": [
          "dead_letters",
          "receiver_held",
          "no_runner",
          "failing_rate"
        ],
        "isList": true,
        "says": "Which alerts it gets"
      },
      "paused_until": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Nothing is sent before. After that it is told what is still open."
      }
    }
  },
  "alerts update": {
    "method": "PATCH",
    "path": "/alert-targets/{id}",
    "summary": "Change or pause an alert target",
    "description": "Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target and remove this one.",
    "query": {},
    "body": {
      "kinds": {
        "type": [
          "dead_letters",
          "receiver_held",
          "no_runner",
          "failing_rate"
        ],
        "isList": true,
        "says": "Which alerts it gets"
      },
      "paused_until": {
        "type": "text",
        "metavar": "timestamp",
        "says": "Nothing is sent before. After that it is told what is still open."
      }
    }
  },
  "alerts remove": {
    "method": "DELETE",
    "path": "/alert-targets/{id}",
    "summary": "Remove an alert target",
    "description": "Removes it: no further alerts are sent to it.",
    "query": {}
  },
  "console-link console-link": {
    "method": "POST",
    "path": "/console-links",
    "summary": "Make a sign-in link",
    "description": "Makes a link that signs one person in to the Integrations page of the account, once. Opening it does not use it up; the button on its page does. Made by somebody who is signed in, it lets in no longer than they are in themselves, and ends with them.",
    "query": {},
    "body": {
      "role": {
        "type": [
          "viewer",
          "admin"
        ],
        "says": "A viewer may look, an admin may also make changes; admin unless given"
      },
      "name": {
        "type": "text",
        "says": "The person's name, for the audit log; Somebody with a link unless given"
      },
      "expires_in_seconds": {
        "type": "integer",
        "metavar": "seconds",
        "says": "How long the link is valid; 900 unless given"
      }
    }
  },
  "console-links list": {
    "method": "GET",
    "path": "/console-links",
    "summary": "List the sign-in links",
    "description": "The links of the account, newest first, also those that were used or have expired in the last 30 days. Never their tokens.",
    "query": {}
  },
  "console-links withdraw": {
    "method": "DELETE",
    "path": "/console-links/{id}",
    "summary": "Withdraw a sign-in link",
    "description": "The link can no longer be used. A person who has signed in by it stays signed in.",
    "query": {}
  },
  "console-sessions list": {
    "method": "GET",
    "path": "/console-sessions",
    "summary": "List who is signed in",
    "description": "The open sessions of people on the Integrations page of the account, newest first.",
    "query": {}
  },
  "console-sessions end": {
    "method": "DELETE",
    "path": "/console-sessions/{id}",
    "summary": "Sign somebody out of one browser",
    "description": "Ends the session in this account, with all sessions that links made in it began, and theirs. Their open links are withdrawn.",
    "query": {}
  },
  "console-sessions end-person": {
    "method": "DELETE",
    "path": "/console-sessions",
    "summary": "Sign a person out",
    "description": "Ends all sessions of the person in this account and withdraws their open links. A person is a subject of the provider, or the user of an operator's link together with everyone they let in. Nothing happens if no person of that id is signed in. Rules of the provider let them in again until the operator changes them.",
    "query": {
      "person": {
        "type": "text",
        "isRequired": true,
        "says": "Whose sessions end"
      }
    }
  }
}
