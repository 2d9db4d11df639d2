/* fi-show: what a libfabric says of a provider, for libraries that come without fi_info, such as those in packages of MPI.
 *
 *   LD_LIBRARY_PATH=DIR_OF_THE_LIBRARY FI_PROVIDER_PATH=DIR_OF_THE_PROVIDER fi-show [PROVIDER]
 *
 * Prints every answer of fi_getinfo, as a copy that the library makes of it. Exit status: 0, or 1 where there is no answer. */
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *provider = argc > 1 ? argv[1] : "philae";
	uint32_t version = fi_version();
	struct fi_info *hints = fi_allocinfo(), *found = NULL;

	if (!hints)
		return 1;
	hints->fabric_attr->prov_name = strdup(provider);
	hints->domain_attr->mr_mode = FI_MR_ENDPOINT | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR | FI_MR_LOCAL;
	int code = fi_getinfo(version, NULL, NULL, 0, hints, &found);
	printf("libfabric %u.%u\n", FI_MAJOR(version), FI_MINOR(version));
	if (code)
		fprintf(stderr, "fi-show: %s: %s\n", provider, fi_strerror(-code));
	for (const struct fi_info *each = found; each; each = each->next) {
		struct fi_info *copy = fi_dupinfo(each);

		if (!copy)
			return 1;
		printf("---\n%s", fi_tostr(copy, FI_TYPE_INFO));
		fi_freeinfo(copy);
	}
	fi_freeinfo(found);
	fi_freeinfo(hints);
	return code != 0;
}
