// The outline of what is selected (red in the mask) and of what is hovered (green), over everything.
in vec2 uv;
uniform sampler2D mask;
uniform vec2 texel;
uniform vec3 radii;         // device px: half widths of outline, halo, hover
uniform vec3 line_color;
uniform vec4 halo_color;
uniform vec3 hover_color;
out vec4 color;

const float D = 0.7071;
const vec2 RING[8] = vec2[8](
    vec2(1.0, 0.0), vec2(D, D), vec2(0.0, 1.0), vec2(-D, D), vec2(-1.0, 0.0), vec2(-D, -D), vec2(0.0, -1.0), vec2(D, -D));

// 1 where the border of the mask runs within a distance, by comparing what lies on a ring with the middle.
vec2 border(float radius, vec2 here) {
    vec2 low = here, high = here;
    for (int k = 0; k < 8; k++) {
        vec2 value = texture(mask, uv + radius * texel * RING[k]).rg;
        low = min(low, value);
        high = max(high, value);
    }
    return high - low;
}

void main() {
    vec2 here = texture(mask, uv).rg;
    float wide = border(radii.y, here).r;
    float inner = 0.0;
    // No branches in a software renderer, but loops that end early: most of a large selection is far from its border.
    for (int once = wide > 0.0 ? 1 : 0; once > 0; once--) {
        inner = border(radii.x, here).r;
    }
    vec4 ink = vec4(halo_color.rgb, halo_color.a * max(wide, inner));
    ink = mix(ink, vec4(line_color, 1.0), inner);
#ifdef HOVER
    float hover = border(radii.z, here).g * (1.0 - here.r);
    if (hover > ink.a) ink = vec4(hover_color, hover);
#endif
    color = ink;
}
