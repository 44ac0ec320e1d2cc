// SPDX-License-Identifier: MIT
#include "pci/proxy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct head {
	int32_t command;
	uint32_t reserved;
	uint64_t payload_bytes;
};

static const struct {
	const char *name;
	uint32_t payload_bytes;
	bool answered;
} known[] = {
	[VGT_PROXY_SYNC_SYSMEM] = { "SYNC_SYSMEM",
				    sizeof(struct vgt_proxy_sysmem), false },
	[VGT_PROXY_RET] = { NULL, 0, false },
	[VGT_PROXY_CONFIG_WRITE] = { "PCI_CFGWRITE",
				     sizeof(struct vgt_proxy_config), true },
	[VGT_PROXY_CONFIG_READ] = { "PCI_CFGREAD",
				    sizeof(struct vgt_proxy_config), true },
	[VGT_PROXY_BAR_WRITE] = { "BAR_WRITE", sizeof(struct vgt_proxy_bar),
				  true },
	[VGT_PROXY_BAR_READ] = { "BAR_READ", sizeof(struct vgt_proxy_bar),
				 true },
	[VGT_PROXY_SET_IRQFD] = { "SET_IRQFD", 0, false },
	[VGT_PROXY_DEVICE_RESET] = { "DEVICE_RESET", 0, true },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

_Static_assert(sizeof(struct head) == 16, "as on the wire");
_Static_assert(sizeof(struct vgt_proxy_sysmem) == 192, "as on the wire");
_Static_assert(sizeof(struct vgt_proxy_config) == 12, "as on the wire");
_Static_assert(sizeof(struct vgt_proxy_bar) == 24, "as on the wire");

void vgt_proxy_message_fini(struct vgt_proxy_message *message)
{
	while (message->fds)
		close(message->fd[--message->fds]);
}

/* The kernel gives no more of them than there is room for. */
static void fds_take(struct msghdr *header, struct vgt_proxy_message *message)
{
	struct cmsghdr *rights;
	size_t count;

	for (rights = CMSG_FIRSTHDR(header); rights;
	     rights = CMSG_NXTHDR(header, rights)) {
		if (rights->cmsg_level != SOL_SOCKET ||
		    rights->cmsg_type != SCM_RIGHTS ||
		    rights->cmsg_len < CMSG_LEN(0))
			continue;
		count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		if (count > VGT_PROXY_REGIONS - message->fds)
			count = VGT_PROXY_REGIONS - message->fds;
		memcpy(&message->fd[message->fds], CMSG_DATA(rights),
		       count * sizeof(int));
		message->fds += count;
	}
}

/* Descriptors come with a head's first byte. */
static int head_receive(int socket, struct head *head,
			struct vgt_proxy_message *message, char error[128])
{
	char control[CMSG_SPACE(sizeof(message->fd))]
		__attribute__((aligned(sizeof(struct cmsghdr))));
	struct iovec part = { head, sizeof(*head) };
	struct msghdr header = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t n;

	do {
		n = recvmsg(socket, &header, MSG_WAITALL | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return 0;
	fds_take(&header, message);
	if (n != sizeof(*head)) {
		snprintf(error, 128, "a message ends in its head");
		return -EPROTO;
	}
	if (header.msg_flags & MSG_CTRUNC) {
		snprintf(error, 128, "message %d: too many descriptors",
			 head->command);
		return -EPROTO;
	}
	return 1;
}

static int head_check(const struct head *head, char error[128])
{
	if (head->command < 0 || (size_t)head->command >= KNOWN ||
	    !known[head->command].name) {
		snprintf(error, 128, "unknown message %d", head->command);
		return -EPROTO;
	}
	if (head->payload_bytes == known[head->command].payload_bytes)
		return 0;
	snprintf(error, 128, "%s: payload of %llu bytes, expected %u",
		 known[head->command].name,
		 (unsigned long long)head->payload_bytes,
		 known[head->command].payload_bytes);
	return -EPROTO;
}

static int payload_receive(int socket, const struct head *head,
			   struct vgt_proxy_message *message, char error[128])
{
	ssize_t n;

	if (!head->payload_bytes)
		return 0;
	do {
		n = recv(socket, &message->sysmem, head->payload_bytes,
			 MSG_WAITALL);
	} while (n < 0 && errno == EINTR);
	if (n == (ssize_t)head->payload_bytes)
		return 0;
	snprintf(error, 128, "%s: the payload is cut off",
		 known[head->command].name);
	return -EPROTO;
}

int vgt_proxy_receive(int socket, struct vgt_proxy_message *message,
		      char error[128])
{
	struct head head;
	int ret;

	memset(message, 0, sizeof(*message));
	ret = head_receive(socket, &head, message, error);
	if (ret > 0)
		ret = head_check(&head, error);
	else if (!ret)
		return 0;
	if (!ret)
		ret = payload_receive(socket, &head, message, error);
	if (ret) {
		vgt_proxy_message_fini(message);
		return ret;
	}
	message->command = head.command;
	return 1;
}

bool vgt_proxy_answered(const struct vgt_proxy_message *message)
{
	return known[message->command].answered;
}

int vgt_proxy_answer(int socket, uint64_t value)
{
	struct {
		struct head head;
		uint64_t value;
	} answer = {
		.head = { .command = VGT_PROXY_RET, .payload_bytes = 8 },
		.value = value,
	};
	ssize_t n;

	do {
		n = send(socket, &answer, sizeof(answer), MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n == sizeof(answer) ? 0 : -EPIPE;
}
