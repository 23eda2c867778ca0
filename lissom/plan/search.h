#pragma once
// Best-first search over sets of contacts. Not for users.
//
// An edge is a change of one contact. Edges are put into the queue with an estimate, and their postures are sought only
// when they come to its head: a few of the best at a time, on all threads, and taken over in the order of the queue, so
// that the number of threads changes nothing.
#include <atomic>
#include <chrono>
#include <map>
#include <set>

#include "lissom/batch/pool.h"
#include "lissom/plan/candidates.h"

namespace lissom::plan {

class Search {
 public:
  Search(const Model& model, const PlanProblem& problem);
  Plan run(const Progress& progress);

 private:
  struct Node {
    Stand stand;
    int parent = -1;
    double cost = 0;  // of the way to it
    std::vector<PlanStep> steps = {};
    std::vector<Pose<double>> limbs = {};  // where their frames are
  };
  struct Edge {
    double estimate = 0, cost = 0;
    long order = 0;
    int from = 0, limb = 0;
    std::optional<Placement> to = {};  // empty: the limb is released
    std::vector<Placement> contacts = {};
    bool operator<(const Edge& other) const {
      return estimate != other.estimate ? estimate < other.estimate : order < other.order;
    }
  };
  using Key = std::vector<long>;
  Key key(const std::vector<Placement>& contacts) const;
  Stand first_stand() const;
  void add_node(Node node);
  bool may_leave(const std::vector<Placement>& contacts, int limb) const;
  void push(int from, int limb, std::optional<Placement> to);
  std::vector<Edge> next_edges();
  void take(const Edge& edge, Passage passage);
  std::vector<PlanStep> steps_to(int node) const;
  bool finish(int node, Plan& plan);
  std::string reason() const;
  // Why there is no way to the goal at all; empty: there may be one.
  std::string missing_surface() const;
  double elapsed() const;

  const PlanProblem& problem_;
  Transitions transitions_;
  Candidates candidates_;
  batch::Pool pool_;
  std::vector<Node> nodes_;
  std::set<Edge> queue_;
  std::map<Key, int> reached_, failed_;  // node; number of attempts that failed
  std::map<std::string, long> reasons_;  // why edges failed, near the best node
  int best_ = 0;
  double best_distance_ = 0;
  long order_ = 0, stances_ = 0, found_ = 0, filtered_ = 0;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace lissom::plan
