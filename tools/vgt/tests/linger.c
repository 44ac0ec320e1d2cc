// SPDX-License-Identifier: MIT
#include "linger.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int linger_open(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct linger linger = { 1, LINGER_S };
	socklen_t len = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	static const char bytes[65536];

	if (bind(server, (struct sockaddr *)&address, len) ||
	    listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&address, &len) ||
	    connect(fd, (struct sockaddr *)&address, len) ||
	    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger))) {
		perror("linger_open");
		exit(1);
	}
	while (send(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	return fd;
}

bool linger_hand(int socket, int fd, size_t len_bytes)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, mark = 0;
	struct iovec part = { &mark, len_bytes };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	struct linger at_once = { 1, 0 };

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	/* Who is refused for what he is may be so before that. */
	if (sendmsg(socket, &message, MSG_NOSIGNAL) >= 0)
		return true;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	return false;
}
