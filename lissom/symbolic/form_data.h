#pragma once
// The data of a ClosedForm: equations.cpp fills it in, layout.cpp prints it. Not installed.
#include "lissom/symbolic/equations.h"
#include "lissom/symbolic/expression.h"

namespace lissom {

struct ClosedForm::Data {
  std::string name, meaning, arguments;
  int rows = 0, columns = 0;
  bool symmetric = false;
  std::vector<symbolic::Expression> entries;           // by rows
  std::shared_ptr<const std::vector<Symbol>> symbols;  // all of them; those in use have their final names
  int nq = 0, nv = 0, digits = 0;

  const symbolic::Expression& at(int row, int column) const { return entries[std::size_t(row * columns + column)]; }
};

}  // namespace lissom
