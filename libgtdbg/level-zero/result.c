// SPDX-License-Identifier: MIT
#include "level_zero.h"

#include <errno.h>

ze_result_t gtdbg_ze_result(int ret)
{
	if (ret >= 0)
		return ZE_RESULT_SUCCESS;
	switch (-ret) {
	case ENODEV:
		return ZE_RESULT_ERROR_DEVICE_LOST;
	case ENOPKG:
		return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
	case ENOMEM:
	case EDQUOT:
		return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
	case EPERM:
	case EACCES:
		return ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS;
	case EBUSY:
	case ESRCH:
	case EFAULT:
	case ENXIO:
	case ETIMEDOUT:
		return ZE_RESULT_ERROR_NOT_AVAILABLE;
	case EOPNOTSUPP:
	case ENOTTY:
		return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
	case EINVAL:
	case ENOENT:
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	}
	return ZE_RESULT_ERROR_UNKNOWN;
}
