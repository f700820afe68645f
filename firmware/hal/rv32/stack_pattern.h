/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern with which the stack is filled at start. An observer finds the deepest use of the stack from
 * __stack_limit upwards.
 */
#ifndef STROBE_STACK_PATTERN_H
#define STROBE_STACK_PATTERN_H

#define STACK_PATTERN 0x57AC57AC

#endif
