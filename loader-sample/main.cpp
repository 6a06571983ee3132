#include "commands/commands.hpp"
#include "commands/output.hpp"

int main(int argc, char **argv) {
  const dsh::loader::Output output = dsh::loader::Output::take_stdout();
  return dsh::loader::run_command_line(argc, argv, output);
}
