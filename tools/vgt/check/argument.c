// SPDX-License-Identifier: MIT
#include "check/argument.h"

#include "check/kernel.h"
#include "check/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a program may say. */
#define ARGUMENTS_MAX (1U << 16)
#define BYTES_MAX 4096 /* of a kernel's name and an argument's */

struct vgt_check_argument {
	struct vgt_check_argument *next;
	uint32_t number;
	bool svm;
	const char *name;
	char kernel[]; /* its name, and behind it that of the argument */
};

static struct vgt_check_argument **bucket(struct vgt_check *check,
					  uint32_t number)
{
	return &check->arguments[number % VGT_CHECK_BUCKETS];
}

static bool is_of(const struct vgt_check_argument *argument, bool svm,
		  uint32_t number)
{
	return argument->number == number && argument->svm == svm;
}

static struct vgt_check_argument *
argument_create(const char *kernel, const char *name, bool svm, uint32_t number)
{
	size_t kernel_bytes = strlen(kernel) + 1, bytes = strlen(name) + 1;
	struct vgt_check_argument *argument;
	char *at;

	argument = malloc(sizeof(*argument) + kernel_bytes + bytes);
	if (!argument)
		return NULL;
	at = argument->kernel + kernel_bytes;
	*argument = (struct vgt_check_argument){
		.number = number, .svm = svm, .name = at,
	};
	vgt_check_name_copy(argument->kernel, kernel);
	vgt_check_name_copy(at, name);
	return argument;
}

static bool is_known_locked(struct vgt_check *check,
			    const struct vgt_check_argument *argument)
{
	const struct vgt_check_argument *at = *bucket(check, argument->number);

	while (at && (!is_of(at, argument->svm, argument->number) ||
		      strcmp(at->kernel, argument->kernel) ||
		      strcmp(at->name, argument->name)))
		at = at->next;
	return at;
}

int vgt_check_argument_add(struct vgt_check *check, const char *kernel,
			   const char *name, bool svm, uint32_t number)
{
	struct vgt_check_argument *argument;
	int ret = 0;

	if (!check)
		return 0;
	if (!*name || strlen(kernel) + strlen(name) > BYTES_MAX)
		return -EINVAL;
	argument = argument_create(kernel, name, svm, number);
	if (!argument)
		return -ENOMEM;
	pthread_mutex_lock(&check->lock);
	if (is_known_locked(check, argument)) {
		free(argument);
	} else if (check->argument_count == ARGUMENTS_MAX) {
		free(argument);
		ret = -ENOSPC;
	} else {
		argument->next = *bucket(check, number);
		*bucket(check, number) = argument;
		check->argument_count++;
	}
	pthread_mutex_unlock(&check->lock);
	return ret;
}

uint32_t vgt_check_argument_find(struct vgt_check *check, const char *kernel,
				 bool svm, uint32_t number,
				 char out[VGT_CHECK_ARGUMENTS]
					 [VGT_CHECK_ARGUMENT_BYTES])
{
	const struct vgt_check_argument *argument;
	uint32_t count = 0;

	pthread_mutex_lock(&check->lock);
	for (argument = *bucket(check, number);
	     argument && count < VGT_CHECK_ARGUMENTS; argument = argument->next)
		if (is_of(argument, svm, number) &&
		    !strcmp(argument->kernel, kernel))
			snprintf(out[count++], VGT_CHECK_ARGUMENT_BYTES, "%s",
				 argument->name);
	pthread_mutex_unlock(&check->lock);
	return count;
}

void vgt_check_argument_remove_locked(struct vgt_check *check, bool svm,
				      uint32_t number)
{
	struct vgt_check_argument **link = bucket(check, number), *argument;

	while ((argument = *link)) {
		if (!is_of(argument, svm, number)) {
			link = &argument->next;
			continue;
		}
		*link = argument->next;
		free(argument);
		check->argument_count--;
	}
}

void vgt_check_argument_fini(struct vgt_check *check)
{
	struct vgt_check_argument *argument;

	for (uint32_t i = 0; i < VGT_CHECK_BUCKETS; i++) {
		while ((argument = check->arguments[i])) {
			check->arguments[i] = argument->next;
			free(argument);
		}
	}
}
