/* SPDX-License-Identifier: MIT */
/*
 * A region: the instructions of one page that can be reached from a head
 * without anything that needs the run loop. It is a copy, so that it can be
 * compiled when the page may be gone.
 */
#ifndef VGT_TIER_GRAPH_H
#define VGT_TIER_GRAPH_H

#include "eu/code.h"
#include "eu/inst.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* LLVM's time grows faster than a function: code may be anybody's. */
#define VGT_GRAPH_MAX 256

struct vgt_eu_thread;

enum vgt_node_kind {
	VGT_NODE_PLAIN = 1, /* translated */
	VGT_NODE_NOTHING = 2, /* does nothing at all */
	VGT_NODE_CALL = 3, /* its handler is called */
	VGT_NODE_JUMP = 4, /* jmpi */
	VGT_NODE_BRANCH = 5, /* channels may part or meet */
};

struct vgt_node {
	struct vgt_inst inst;
	const struct vgt_inst *origin; /* in the page */
	enum vgt_node_kind kind;
	bool leader; /* of a basic block */
	bool label; /* channels may wait here */
};

struct vgt_graph {
	uint32_t head; /* offset from instruction base, as all IPs */
	uint32_t base; /* of the page */
	uint32_t count;
	bool turn; /* of a loop: who comes back to the head leaves */
	uint16_t at[VGT_CODE_PLACES]; /* index + 1 of the node there, or 0 */
	struct vgt_node node[]; /* by address */
};

/*
 * The region at @head, of @limit instructions at most; NULL if there is none, or if
 * whoever enters it executes less than @least. The caller frees it. The page's own
 * instructions get marks where the run loop should look for a region.
 */
struct vgt_graph *vgt_graph_create(const struct vgt_code_page *page,
				   const struct vgt_inst *head,
				   uint32_t limit, uint32_t least);
void vgt_graph_destroy(struct vgt_graph *graph);

/* The same graph, and how many bytes it has with all its nodes. */
struct vgt_graph *vgt_graph_copy(const struct vgt_graph *graph,
				 size_t *bytes_out);

/*
 * One turn of the loop from @head to @end, in whatever pages it is. Its nodes are
 * their own origin, so it has to stay as long as what was compiled of it.
 */
struct vgt_graph *vgt_graph_create_turn(struct vgt_eu_thread *thread,
					const struct vgt_inst *head,
					uint32_t end);

/* Channels that execute something but where masks do not count. */
uint32_t vgt_graph_need(const struct vgt_graph *graph);

/* The node at @ip; NULL if it is not of the region. */
const struct vgt_node *vgt_graph_find(const struct vgt_graph *graph,
				      uint32_t ip);
/* The first instruction of a loop that @node ends, or @node. */
const struct vgt_node *vgt_graph_back(const struct vgt_graph *graph,
				      const struct vgt_node *node);

#endif
