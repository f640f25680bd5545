/* Status numbers of CLI answers, part of the protocol. */
#ifndef VERNIS_DAEMON_STATUS_H
#define VERNIS_DAEMON_STATUS_H

enum cli_status {
    CLI_SYNTAX = 100,
    CLI_UNKNOWN = 101,
    CLI_UNIMPLEMENTED = 102,
    CLI_TOO_FEW = 104,
    CLI_TOO_MANY = 105,
    CLI_PARAM = 106,
    CLI_AUTH = 107,
    CLI_OK = 200,
    CLI_TRUNCATED = 201,
    CLI_CANT = 300,
    CLI_COMMS = 400,
    CLI_CLOSE = 500
};

#endif
