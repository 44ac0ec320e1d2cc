/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_GDB_SERVER_H
#define GTDBGCTL_GDB_SERVER_H

/**
 * struct gdb_server - a server to start
 * @program: it
 * @driver: Level Zero driver that it is to use
 * @pid_path: file with the process id to attach to, there before gdb connects
 * @devices: GPUs that the program will have, those that it has not yet among them; 0: unknown
 * @socket_path: socket that gdb connects to, in a folder that is the user's own
 */
struct gdb_server {
	const char *program;
	const char *driver;
	const char *pid_path;
	const char *socket_path;
	int devices;
};

/* It starts when gdb connects, and ends when that goes; if nobody does, with the tool. */
int gdb_server_start(const struct gdb_server *server);

#endif
