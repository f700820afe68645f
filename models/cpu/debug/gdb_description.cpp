// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/gdb_description.h"

#include <array>
#include <string_view>

namespace strobe::cpu {

namespace {

constexpr std::uint32_t pcNumber = 32;
constexpr std::uint32_t firstCsr = 65;
constexpr std::uint32_t csrNumbers = 4096;

constexpr std::array<std::string_view, 32> names{"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                                 "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                                 "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

struct CsrName {
    std::uint32_t number;
    std::string_view name;
};
constexpr std::array csrNames{
    CsrName{rv32::csr::mstatus, "mstatus"},   CsrName{rv32::csr::misa, "misa"},
    CsrName{rv32::csr::mie, "mie"},           CsrName{rv32::csr::mtvec, "mtvec"},
    CsrName{rv32::csr::mscratch, "mscratch"}, CsrName{rv32::csr::mepc, "mepc"},
    CsrName{rv32::csr::mcause, "mcause"},     CsrName{rv32::csr::mtval, "mtval"},
    CsrName{rv32::csr::mip, "mip"},           CsrName{rv32::csr::mcountinhibit, "mcountinhibit"},
    CsrName{rv32::csr::mcycle, "mcycle"},     CsrName{rv32::csr::mcycleh, "mcycleh"},
    CsrName{rv32::csr::minstret, "minstret"}, CsrName{rv32::csr::minstreth, "minstreth"},
    CsrName{rv32::csr::cycle, "cycle"},       CsrName{rv32::csr::cycleh, "cycleh"},
    CsrName{rv32::csr::time, "time"},         CsrName{rv32::csr::timeh, "timeh"},
    CsrName{rv32::csr::instret, "instret"},   CsrName{rv32::csr::instreth, "instreth"},
    CsrName{rv32::csr::mhartid, "mhartid"}};

std::string entry(std::string_view name, std::uint32_t number, std::string_view type)
{
    std::string text = "<reg name=\"";
    text += name;
    text += "\" bitsize=\"32\" regnum=\"" + std::to_string(number) + "\" type=\"";
    text += type;
    return text + "\"/>";
}

} // namespace

std::optional<std::uint32_t> gdbRegister(const rv32::Core& core, std::uint32_t number)
{
    if (number < pcNumber)
        return core.reg(number);
    if (number == pcNumber)
        return core.pc();
    if (number >= firstCsr && number < firstCsr + csrNumbers)
        return core.csr(number - firstCsr);
    return std::nullopt;
}

bool setGdbRegister(rv32::Core& core, std::uint32_t number, std::uint32_t value)
{
    if (number < pcNumber)
        core.setReg(number, value);
    else if (number == pcNumber)
        core.setPc(value);
    else
        return number >= firstCsr && number < firstCsr + csrNumbers && core.setCsr(number - firstCsr, value);
    return true;
}

std::string gdbTargetXml(const rv32::Core& core)
{
    std::string xml = "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
                      "<architecture>riscv:rv32</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
    for (std::uint32_t i = 0; i < names.size(); ++i)
        xml += entry(names[i], i, i == 1 ? "code_ptr" : i == 2 || i == 3 || i == 4 || i == 8 ? "data_ptr" : "int");
    xml += entry("pc", pcNumber, "code_ptr") + "</feature><feature name=\"org.gnu.gdb.riscv.csr\">";
    for (const CsrName& csr : csrNames) {
        if (core.csr(csr.number))
            xml += entry(csr.name, firstCsr + csr.number, "int");
    }
    return xml + "</feature></target>";
}

} // namespace strobe::cpu
