/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((visibility("default"))) int something_else(void);

__attribute__((visibility("default"))) int something_else(void)
{
    return 1;
}
