#pragma once
#include <functional>
#include <vector>
#include <string>
#include <cmath>
namespace umov::krylov {
struct DriveOptions { double epsilon; long max_iterations; std::function<bool(long,double)> hook; };
struct DriveOutcome { int status; long iterations; double residual; std::string advice; };
template<class S> DriveOutcome drive(S& s, double bb, long done, const DriveOptions& o, std::vector<double>& h){
  double res=h.back();
  while(res>o.epsilon){ if(done>=o.max_iterations) return {1,done,res,""}; auto st=s.iterate(); if(st.breakdown) return {3,done,res,st.breakdown}; ++done; res=std::sqrt(st.rr/bb); h.push_back(res); if(o.hook&&!o.hook(done,res)) return {4,done,res,""}; }
  return {0,done,res,""};
}
}
