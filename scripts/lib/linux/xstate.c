/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints how many bytes this machine's kernel keeps of a process's floating-point and vector registers (ptrace,
 * NT_X86_XSTATE). */
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    static char registers[1 << 16];
    struct iovec room = {registers, sizeof registers};
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        _exit(0);
    }
    waitpid(child, 0, 0);
    if (child < 0 || ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &room) != 0) {
        perror("ptrace");
        return 1;
    }
    kill(child, SIGKILL);
    printf("%zu\n", room.iov_len);
    return 0;
}
